/** Shared parts of tests that attack Weir with random input. */
@NullMarked
package io.weir.attack;

import org.jspecify.annotations.NullMarked;
