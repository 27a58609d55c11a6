/** What annotations and settings say of policies, right or wrong, and the rules that tell which. */
@NullMarked
package io.weir.internal.policy.draft;

import org.jspecify.annotations.NullMarked;
