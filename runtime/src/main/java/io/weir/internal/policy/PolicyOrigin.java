package io.weir.internal.policy;

import io.weir.internal.policy.draft.EndpointCapabilities;
import java.lang.ref.WeakReference;

/**
 * Where a policy is written. Holds no class, so that an application that shares a policy can be
 * unloaded.
 *
 * @param element the method or class in full, to tell the same from another
 * @param loader of its class, only weakly
 * @param place how messages name it
 * @param scope what it can make use of there
 */
record PolicyOrigin(
    String element, WeakReference<ClassLoader> loader, String place, EndpointCapabilities scope) {
  PolicyOrigin(Class<?> type, String element, String place, EndpointCapabilities scope) {
    this(element, new WeakReference<>(type.getClassLoader()), place, scope);
  }

  boolean isSame(PolicyOrigin other) {
    return element.equals(other.element) && other.loader.refersTo(loader.get());
  }
}
