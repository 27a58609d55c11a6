/**
 * Policies as annotations and settings define them, valid or not, and the rules that check them.
 */
@NullMarked
package io.weir.internal.policy.draft;

import org.jspecify.annotations.NullMarked;
