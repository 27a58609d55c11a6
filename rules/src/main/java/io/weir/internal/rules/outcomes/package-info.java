/**
 * Counts the outcomes of decisions by policy, and keeps their sums by hour. Nothing of a caller is
 * counted.
 */
@NullMarked
package io.weir.internal.rules.outcomes;

import org.jspecify.annotations.NullMarked;
