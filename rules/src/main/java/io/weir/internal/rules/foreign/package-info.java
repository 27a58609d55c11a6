/**
 * Reads tables that Weir didn't make: rules, costs and users of an application. They are never
 * altered and never written, and nothing of theirs runs.
 */
@NullMarked
package io.weir.internal.rules.foreign;

import org.jspecify.annotations.NullMarked;
