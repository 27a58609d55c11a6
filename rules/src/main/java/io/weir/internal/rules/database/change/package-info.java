/**
 * Reads which rows have changed: by the numbers of {@code rule_changes} in H2, by transactions in
 * PostgreSQL, by fingerprints of tables where nothing reports changes.
 */
@NullMarked
package io.weir.internal.rules.database.change;

import org.jspecify.annotations.NullMarked;
