/**
 * Limits, tiers and costs in a database, changed while applications run: begin with {@link
 * io.weir.rules.Rules}. {@code weir.rules=jdbc:…} switches them on in any application that uses
 * Weir.
 */
@NullMarked
package io.weir.rules;

import org.jspecify.annotations.NullMarked;
