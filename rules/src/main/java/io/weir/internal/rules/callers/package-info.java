/**
 * Identifies callers and knows their rows in the database: a bounded cache, and look-ups that many
 * requests share.
 */
@NullMarked
package io.weir.internal.rules.callers;

import org.jspecify.annotations.NullMarked;
