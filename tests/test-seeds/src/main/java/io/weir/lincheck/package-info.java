/** Shared parts of tests that try interleavings. */
@NullMarked
package io.weir.lincheck;

import org.jspecify.annotations.NullMarked;
