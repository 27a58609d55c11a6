/**
 * What requests have taken and what was refused: collected in memory, written by one thread of the
 * node, read for people.
 */
@NullMarked
package io.weir.internal.rules.usage;

import org.jspecify.annotations.NullMarked;
