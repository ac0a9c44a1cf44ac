// Table: a header and rows in columns. When the canvas is narrow the least telling columns go first; when it is low the
// last rows do, and a line says how many. Pure function, any thread.
#pragma once

#include "tui/cells/canvas.h"

#include <span>
#include <string>
#include <vector>

namespace hyperscale::tui {

struct TableColumn {
  std::string title;
  int width = 0;  // the least; wider when a cell needs it. The first column takes what is left.
  int worth = 0;  // the lowest goes first
};

struct TableCell {
  std::string text;
  Role role = Role::kText;
};

using TableRow = std::vector<TableCell>;

struct Table {
  std::vector<TableColumn> columns;   // the first is aligned to the left, others to the right
  std::vector<TableRow> rows = {};    // as many cells as columns
  std::vector<TableRow> footer = {};  // at most one: below the rows, always shown
  std::string_view rows_are = "rows";
};

// How many rows the whole table takes.
int table_rows(const Table& table);
// `first` is the row to begin with, for tables that are moved up and down.
void draw_table(Canvas canvas, const Table& table, std::size_t first = 0);
// The largest `first` that still fills a table of this height.
std::size_t last_first_row(std::size_t rows, int height, bool has_footer);

}  // namespace hyperscale::tui
