/**
 * Tests limits with JUnit Jupiter: {@link io.weir.testkit.junit.WeirTest} gives each test a Weir
 * and a clock of its own. Needs JUnit 5.12 or newer on the class path, which the testkit doesn't
 * bring.
 */
@NullMarked
package io.weir.testkit.junit;

import org.jspecify.annotations.NullMarked;
