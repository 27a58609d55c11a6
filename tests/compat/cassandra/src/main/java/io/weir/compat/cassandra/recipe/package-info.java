/** Counting in Cassandra without Weir: the code that docs/cassandra-recipe.md shows. */
@NullMarked
package io.weir.compat.cassandra.recipe;

import org.jspecify.annotations.NullMarked;
