/** Counting by hand, without Weir: what docs/cassandra-recipe.md shows. */
@NullMarked
package io.weir.compat.cassandra.recipe;

import org.jspecify.annotations.NullMarked;
