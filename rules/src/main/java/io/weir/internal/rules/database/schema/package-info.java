/** Makes and migrates the tables, and determines what a database lacks. */
@NullMarked
package io.weir.internal.rules.database.schema;

import org.jspecify.annotations.NullMarked;
