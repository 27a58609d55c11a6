/** Shared parts of tests that simulate clusters. */
@NullMarked
package io.weir.simulation;

import org.jspecify.annotations.NullMarked;
