/** What tests that try interleavings have in common. */
@NullMarked
package io.weir.lincheck;

import org.jspecify.annotations.NullMarked;
