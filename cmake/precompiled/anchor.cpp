// Gives a precompiled header a target to belong to.
