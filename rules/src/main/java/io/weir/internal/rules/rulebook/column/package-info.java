/**
 * Reads rows of the tables as rules, costs, switches, users, quotas and upgrades, and writes them
 * back.
 */
@NullMarked
package io.weir.internal.rules.rulebook.column;

import org.jspecify.annotations.NullMarked;
