/**
 * Follows the tables: reads what is new every second and makes one rulebook after the other of it,
 * also while rows can't be used or the database is away.
 */
@NullMarked
package io.weir.internal.rules.feed;

import org.jspecify.annotations.NullMarked;
