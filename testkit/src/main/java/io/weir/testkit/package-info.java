/**
 * Helps to test limits: a {@link io.weir.testkit.FakeTicker} instead of sleeping, and {@link
 * io.weir.testkit.DecisionAssert} for expectations. {@link io.weir.testkit.junit.WeirTest} gives
 * each test of JUnit a Weir and a ticker of its own.
 */
@NullMarked
package io.weir.testkit;

import org.jspecify.annotations.NullMarked;
