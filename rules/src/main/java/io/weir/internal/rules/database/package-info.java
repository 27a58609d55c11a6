/**
 * The tables: made and migrated, read and written as rows of texts, with triggers that report each
 * change, on H2 and PostgreSQL alike.
 */
@NullMarked
package io.weir.internal.rules.database;

import org.jspecify.annotations.NullMarked;
