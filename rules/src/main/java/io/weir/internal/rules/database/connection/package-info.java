/** Connects to the database and opens its tables: reads and writes rows by JDBC. */
@NullMarked
package io.weir.internal.rules.database.connection;

import org.jspecify.annotations.NullMarked;
