/**
 * Helps to test limits: a {@link io.weir.testkit.FakeTicker} instead of sleeping, and {@link
 * io.weir.testkit.DecisionAssert} for expectations.
 */
@NullMarked
package io.weir.testkit;

import org.jspecify.annotations.NullMarked;
