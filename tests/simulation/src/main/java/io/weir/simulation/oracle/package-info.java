/** Checks by brute force, on what was admitted. Nothing here knows how Weir counts. */
@NullMarked
package io.weir.simulation.oracle;

import org.jspecify.annotations.NullMarked;
