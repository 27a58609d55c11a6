package io.weir.internal.policy;

import io.weir.internal.policy.draft.EndpointCapabilities;
import java.lang.ref.WeakReference;

/**
 * Identifies the place where a policy is defined. Holds no class, so that an application that
 * shares a policy can be unloaded.
 *
 * @param element the full name of the method or class
 * @param loader of its class, held weakly
 * @param scope what policies can use there
 */
record PolicyDefinitionSite(
    String element, WeakReference<ClassLoader> loader, String place, EndpointCapabilities scope) {
  PolicyDefinitionSite(Class<?> type, String element, String place, EndpointCapabilities scope) {
    this(element, new WeakReference<>(type.getClassLoader()), place, scope);
  }

  boolean isSame(PolicyDefinitionSite other) {
    return element.equals(other.element) && other.loader.refersTo(loader.get());
  }
}
