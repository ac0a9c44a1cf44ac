#include "tui/widgets/table.h"

#include "base/check.h"
#include "base/number_text.h"

#include <fmt/format.h>

namespace hyperscale::tui {
namespace {

constexpr int kGap = 2;
constexpr int kGapMax = 6;  // a wider gap makes rows hard to follow

// The first column has its minimum width here; others are as wide as their widest cell.
std::vector<int> column_widths(const Table& table, Glyphs glyphs) {
  std::vector<int> widths;
  widths.reserve(table.columns.size());
  for (const TableColumn& column : table.columns) widths.push_back(column.width);
  for (const std::vector<TableRow>* rows : {&table.rows, &table.footer}) {
    for (const TableRow& row : *rows) {
      CHECK(row.size() == widths.size(), "{} cells in {} columns", row.size(), widths.size());
      for (std::size_t i = 1; i < row.size(); ++i) widths[i] = std::max(widths[i], text_cells(row[i].text, glyphs));
    }
  }
  return widths;
}

// Indices of the columns that fit side by side.
std::vector<std::size_t> shown_columns(std::span<const TableColumn> columns, std::span<const int> widths, int width) {
  std::vector<std::size_t> shown;
  int needed = -kGap;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    shown.push_back(i);
    needed += widths[i] + kGap;
  }
  while (needed > width && shown.size() > 1) {
    const auto worst =
        std::ranges::min_element(shown.begin() + 1, shown.end(), {}, [&](std::size_t i) { return columns[i].worth; });
    needed -= widths[*worst] + kGap;
    shown.erase(worst);
  }
  return shown;
}

class TablePage {
 public:
  TablePage(Canvas canvas, const Table& table)
      : canvas_(canvas),
        table_(table),
        widths_(column_widths(table, canvas.glyphs())),
        shown_(shown_columns(table.columns, widths_, canvas.width())),
        gap_(gap()) {}

  void header() {
    draw(0, [&](std::size_t i) { return TableCell{table_.columns[i].title, Role::kDim}; });
  }
  void row(const TableRow& row, int y) {
    draw(y, [&](std::size_t i) -> const TableCell& { return row[i]; });
  }

 private:
  // Width that no name needs goes between the columns, so that figures stay near the names.
  int gap() const {
    int names = 0, figures = 0;
    for (const TableRow& row : table_.rows) names = std::max(names, text_cells(row[0].text, canvas_.glyphs()));
    for (const std::size_t column : shown_) figures += column == 0 ? 0 : widths_[column];
    const int gaps = std::max(1, static_cast<int>(shown_.size()) - 1);
    return std::clamp((canvas_.width() - names - figures) / gaps, kGap, kGapMax);
  }

  template <typename CellOf>
  void draw(int y, const CellOf& cell_of) {
    int right = canvas_.width();
    for (std::size_t i = shown_.size(); i-- > 0;) {
      const std::size_t column = shown_[i];
      const TableCell& cell = cell_of(column);
      if (column == 0) {
        canvas_.text(0, y, right, cell.text, cell.role);
        continue;
      }
      const int begin = std::max(0, right - widths_[column]);
      canvas_.part({begin, y, right - begin, 1}).text_until(right - begin, 0, cell.text, cell.role);
      right -= widths_[column] + gap_;
    }
  }

  Canvas canvas_;
  const Table& table_;
  std::vector<int> widths_;
  std::vector<std::size_t> shown_;
  int gap_;
};

int body_height(int height, bool has_footer) {
  return std::max(0, height - 1 - (has_footer ? 1 : 0));
}

}  // namespace

int table_rows(const Table& table) {
  return 1 + static_cast<int>(table.rows.size() + table.footer.size());
}

std::size_t last_first_row(std::size_t rows, int height, bool has_footer) {
  // One line shows the number of hidden rows.
  const auto body = static_cast<std::size_t>(std::max(1, body_height(height, has_footer) - 1));
  return rows > body + 1 ? rows - body : 0;
}

void draw_table(Canvas canvas, const Table& table, std::size_t first) {
  TablePage page(canvas, table);
  page.header();
  int y = 1;
  const auto body = static_cast<std::size_t>(body_height(canvas.height(), !table.footer.empty()));
  const std::size_t count = table.rows.size();
  const bool all = count <= body;
  first = all ? 0 : std::min(first, last_first_row(count, canvas.height(), !table.footer.empty()));
  const std::size_t shown = all ? count : std::max<std::size_t>(body, 1) - 1;
  for (std::size_t i = first; i < std::min(count, first + shown); ++i) page.row(table.rows[i], y++);
  if (!all) {
    const std::string hidden = first == 0 ? fmt::format("{} more {}", count_text(count - shown), table.rows_are)
                                          : fmt::format("{} {} above, {} below", count_text(first), table.rows_are,
                                                        count_text(count - std::min(count, first + shown)));
    canvas.text(0, y++, fmt::format("{} {}", canvas.is_ascii() ? "..." : "…", hidden), Role::kDim);
  }
  for (const TableRow& row : table.footer) page.row(row, y++);
}

}  // namespace hyperscale::tui
