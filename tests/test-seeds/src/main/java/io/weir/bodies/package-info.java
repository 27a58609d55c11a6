/** Shared parts of tests that send bodies which policies read. */
@NullMarked
package io.weir.bodies;

import org.jspecify.annotations.NullMarked;
