/**
 * Keeps buckets in PostgreSQL: rows that one statement replaces if they are still what they were.
 */
@NullMarked
package io.weir.internal.postgres;

import org.jspecify.annotations.NullMarked;
