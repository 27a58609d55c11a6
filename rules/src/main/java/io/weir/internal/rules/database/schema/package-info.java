/** Makes and migrates the tables by Flyway, and determines what a database lacks. */
@NullMarked
package io.weir.internal.rules.database.schema;

import org.jspecify.annotations.NullMarked;
