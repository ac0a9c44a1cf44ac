// How many cells of a terminal a character takes: 0 for marks that join the character before, 2 for East Asian wide
// characters and pictographs, 1 for all others.
//
// Pure function, any thread. Terminals differ on rare characters; a caller that needs exact columns repositions the
// cursor after a character that is not plain.
#pragma once

namespace hyperscale {

unsigned cells_of(char32_t code);

}  // namespace hyperscale
