/**
 * Usage and violations: collected in memory, written to the database by one thread of each node,
 * and read for people.
 */
@NullMarked
package io.weir.internal.rules.usage;

import org.jspecify.annotations.NullMarked;
