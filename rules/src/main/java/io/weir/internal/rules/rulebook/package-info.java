/**
 * The rules as requests meet them: rows become rules, rules a {@link
 * io.weir.internal.rules.rulebook.Rulebook}, which finds those of an endpoint without looking at
 * all of them. No I/O and no thread.
 */
@NullMarked
package io.weir.internal.rules.rulebook;

import org.jspecify.annotations.NullMarked;
