package io.weir.spring.web;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.ServerHttpObservationFilter;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;

/**
 * A request that is shown to handler mappings before its servlet is called. It keeps the attributes
 * that they set or remove for itself, so that the request stays as it was. It hides the request's
 * observation, in which they would note the pattern of requests that never reach the handler.
 *
 * <p>It doesn't give away the body, which can be read only once: a mapping that needs it fails
 * here, and finds the handler when the servlet is called.
 */
final class LookupRequest extends HttpServletRequestWrapper {
  /** Stops mappings from logging the handler, which they log again for the servlet. */
  private static final String NO_LOG = AbstractHandlerMapping.class.getName() + ".SUPPRESS_LOGGING";

  /** Null for an attribute that was removed. */
  private final Map<String, @Nullable Object> changed = new HashMap<>();

  LookupRequest(HttpServletRequest request) {
    super(request);
    changed.put(NO_LOG, true);
    changed.put(ServerHttpObservationFilter.CURRENT_OBSERVATION_CONTEXT_ATTRIBUTE, null);
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    Object own = changed.get(name);
    return own != null || changed.containsKey(name) ? own : super.getAttribute(name);
  }

  @Override
  public void setAttribute(String name, @Nullable Object value) {
    changed.put(name, value);
  }

  @Override
  public void removeAttribute(String name) {
    changed.put(name, null);
  }

  @Override
  public ServletInputStream getInputStream() {
    throw bodyIsNeeded();
  }

  @Override
  public BufferedReader getReader() {
    throw bodyIsNeeded();
  }

  private static IllegalStateException bodyIsNeeded() {
    return new IllegalStateException("the body can't be read before the servlet is called");
  }

  @Override
  public Enumeration<String> getAttributeNames() {
    Set<String> names = new TreeSet<>(Collections.list(super.getAttributeNames()));
    changed.forEach(
        (name, value) -> {
          if (value == null) {
            names.remove(name);
          } else {
            names.add(name);
          }
        });
    return Collections.enumeration(names);
  }
}
