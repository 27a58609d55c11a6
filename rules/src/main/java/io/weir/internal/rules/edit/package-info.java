/**
 * Changes rows: checks them, replaces the version that the author has seen, and restores old ones.
 */
@NullMarked
package io.weir.internal.rules.edit;

import org.jspecify.annotations.NullMarked;
