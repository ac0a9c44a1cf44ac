// Table: a header and rows in columns. A narrow canvas omits the least important columns; a low one omits the last
// rows, and a line shows how many. Pure function, any thread.
#pragma once

#include "tui/cells/canvas.h"

#include <span>
#include <string>
#include <vector>

namespace hyperscale::tui {

struct TableColumn {
  std::string title;
  int width = 0;  // minimum; cells may widen it. The first column gets the remaining width.
  int worth = 0;  // the lowest is omitted first
};

struct TableCell {
  std::string text;
  Role role = Role::kText;
};

using TableRow = std::vector<TableCell>;

struct Table {
  std::vector<TableColumn> columns;   // the first is aligned to the left, others to the right
  std::vector<TableRow> rows = {};    // one cell per column
  std::vector<TableRow> footer = {};  // at most one: below the rows, always shown
  std::string_view rows_are = "rows";
};

// Rows that the whole table needs.
int table_rows(const Table& table);
// `first`: index of the first shown row, for scrolling.
void draw_table(Canvas canvas, const Table& table, std::size_t first = 0);
// The largest `first` that still fills a table of this height.
std::size_t last_first_row(std::size_t rows, int height, bool has_footer);

}  // namespace hyperscale::tui
