package io.weir.spring.web;

import io.weir.adapter.RequestValues;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.filter.ServerHttpObservationFilter;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;

/**
 * A request that is shown to handler mappings before its servlet is called. It keeps the attributes
 * that they set or remove for itself, so that the request stays as it was. It hides the request's
 * observation, in which they would note the pattern of requests that never reach the handler.
 *
 * <p>It doesn't give away the body, which can be read only once: a mapping that needs it fails
 * here, and finds the handler when the servlet is called. Parameters are those of the query if the
 * body is a form, which the container would read, and an upload even store.
 */
final class LookupRequest extends HttpServletRequestWrapper {
  /** Stops mappings from logging the handler, which they log again for the servlet. */
  private static final String NO_LOG = AbstractHandlerMapping.class.getName() + ".SUPPRESS_LOGGING";

  /** Methods of requests whose body is no form, whatever their content type. */
  private static final Set<String> WITHOUT_FORM = Set.of("GET", "HEAD", "OPTIONS");

  /** Null for an attribute that was removed. */
  private final Map<String, @Nullable Object> changed = new HashMap<>();

  private final boolean hasFormType;
  private @Nullable Map<String, String[]> queries;
  private boolean missedForm;

  LookupRequest(HttpServletRequest request) {
    super(request);
    hasFormType = isForm(request.getContentType());
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

  @Override
  public Collection<Part> getParts() {
    throw bodyIsNeeded();
  }

  @Override
  public Part getPart(String name) {
    throw bodyIsNeeded();
  }

  /**
   * Returns whether a mapping has asked for parameters that the form may have, since this was
   * called last.
   */
  boolean takeMissedForm() {
    boolean missed = missedForm;
    missedForm = false;
    return missed;
  }

  private static boolean isForm(@Nullable String contentType) {
    return contentType != null
        && (startsWith(contentType, MediaType.APPLICATION_FORM_URLENCODED_VALUE)
            || startsWith(contentType, "multipart/"));
  }

  private static boolean startsWith(String contentType, String start) {
    return contentType.stripLeading().regionMatches(true, 0, start, 0, start.length());
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    if (!hasFormType) {
      return super.getParameterMap();
    }
    missedForm |= !WITHOUT_FORM.contains(getMethod());
    Map<String, String[]> known = queries;
    if (known == null) {
      @Nullable String query = getQueryString();
      known = query == null ? Map.of() : parameters(query);
      queries = known;
    }
    return known;
  }

  /**
   * Reads the parameters of a query, but for those whose name can't be decoded. Values that can't
   * be decoded stay as they were sent.
   */
  private static Map<String, String[]> parameters(String query) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String pair : query.split("&")) {
      int equals = pair.indexOf('=');
      Optional<String> name = decode(equals < 0 ? pair : pair.substring(0, equals));
      if (name.isPresent() && !pair.isEmpty()) {
        String raw = equals < 0 ? "" : pair.substring(equals + 1);
        values.computeIfAbsent(name.get(), any -> new ArrayList<>(1)).add(decode(raw).orElse(raw));
      }
    }
    Map<String, String[]> arrays = new LinkedHashMap<>();
    values.forEach((name, each) -> arrays.put(name, each.toArray(String[]::new)));
    return arrays;
  }

  private static Optional<String> decode(String text) {
    return RequestValues.read(() -> URLDecoder.decode(text, StandardCharsets.UTF_8));
  }

  @Override
  public @Nullable String getParameter(String name) {
    String @Nullable [] values = getParameterValues(name);
    return values == null ? null : values[0];
  }

  @Override
  public String @Nullable [] getParameterValues(String name) {
    return hasFormType ? getParameterMap().get(name) : super.getParameterValues(name);
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return hasFormType
        ? Collections.enumeration(getParameterMap().keySet())
        : super.getParameterNames();
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
