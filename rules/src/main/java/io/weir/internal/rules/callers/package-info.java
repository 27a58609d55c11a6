/**
 * Who the caller is, and what the database says of it: a bounded cache, and look-ups that many
 * requests share.
 */
@NullMarked
package io.weir.internal.rules.callers;

import org.jspecify.annotations.NullMarked;
