// How many cells of a terminal a character takes: 0 for marks that join the character before, 2 for East Asian wide
// characters and pictographs, 1 for all others.
//
// Pure function, any thread. Terminals differ on rare characters; whoever must not be led astray places the cursor anew
// after a character that is not plain.
#pragma once

namespace hyperscale {

unsigned cells_of(char32_t code);

}  // namespace hyperscale
