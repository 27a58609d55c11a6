/**
 * What tests of limits need: a {@link io.weir.testkit.FakeTicker} instead of sleeping, and {@link
 * io.weir.testkit.DecisionAssert} to say what is expected.
 */
@NullMarked
package io.weir.testkit;

import org.jspecify.annotations.NullMarked;
