package io.weir.servlet;

import io.weir.adapter.FormPart;
import io.weir.adapter.ReadBody;
import io.weir.internal.container.RawUri;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Shows a request whose body was read for policies as if nobody had read it: as a stream, also an
 * asynchronous one, as a reader, as parameters and as parts.
 *
 * <p>Safe for concurrent use as far as other requests are.
 */
final class ReplayedRequest extends HttpServletRequestWrapper {
  private static final String MULTIPART = "multipart/";
  private static final String TEMPORARY = "jakarta.servlet.context.tempdir";

  /** Null as long as the body wasn't read for policies, or where it is still in its stream. */
  private volatile @Nullable ReadBody body;

  private @Nullable ReplayedInputStream stream;
  private @Nullable BufferedReader reader;
  private @Nullable Map<String, String[]> parameters;
  private @Nullable Collection<Part> parts;

  private ReplayedRequest(HttpServletRequest request, @Nullable ReadBody body) {
    super(request);
    this.body = body;
  }

  /**
   * Shows a body to whoever gets a request next.
   *
   * @return the same request if it shows the body already, or the body is still in its stream
   */
  static HttpServletRequest of(HttpServletRequest passed, ReadBody body) {
    if (body.isInStream()) {
      return passed;
    }
    ServletRequest each = passed;
    while (each instanceof ServletRequestWrapper wrapper) {
      if (wrapper instanceof ReplayedRequest replayed && replayed.body == body) {
        return passed;
      }
      each = wrapper.getRequest();
    }
    return new ReplayedRequest(passed, body);
  }

  /**
   * Prepares a request whose body may be read for policies after it was passed on.
   *
   * @return shows the body that {@link #show} is given
   */
  static HttpServletRequest unread(HttpServletRequest passed) {
    return new ReplayedRequest(passed, null);
  }

  /** Finds the outermost request of such a kind that is still unread. */
  static Optional<ReplayedRequest> unreadIn(HttpServletRequest request) {
    ServletRequest each = request;
    while (each instanceof ServletRequestWrapper wrapper) {
      if (wrapper instanceof ReplayedRequest replayed && replayed.body == null) {
        return Optional.of(replayed);
      }
      each = wrapper.getRequest();
    }
    return Optional.empty();
  }

  /** Shows a body that was read from the request below this one. */
  void show(ReadBody read) {
    body = read.isInStream() ? null : read;
  }

  /** Returns the request below this one. */
  HttpServletRequest request() {
    return (HttpServletRequest) getRequest();
  }

  @Override
  public ServletInputStream getInputStream() throws IOException {
    ReadBody read = body;
    if (read == null) {
      return super.getInputStream();
    }
    if (reader != null) {
      throw new IllegalStateException("getReader() was called before");
    }
    return stream(read);
  }

  private ReplayedInputStream stream(ReadBody read) throws IOException {
    ReplayedInputStream known = stream;
    if (known == null) {
      known =
          new ReplayedInputStream(
              this, read.bytes(), read.isWhole() ? null : request().getInputStream());
      stream = known;
    }
    return known;
  }

  @Override
  public BufferedReader getReader() throws IOException {
    ReadBody read = body;
    if (read == null) {
      return super.getReader();
    }
    BufferedReader known = reader;
    if (known == null) {
      if (stream != null) {
        throw new IllegalStateException("getInputStream() was called before");
      }
      known = new BufferedReader(new InputStreamReader(stream(read), charset()));
      reader = known;
    }
    return known;
  }

  private Charset charset() throws UnsupportedEncodingException {
    String name = getCharacterEncoding();
    try {
      return name == null ? StandardCharsets.ISO_8859_1 : Charset.forName(name);
    } catch (IllegalArgumentException unknown) {
      throw new UnsupportedEncodingException(name);
    }
  }

  @Override
  public @Nullable String getParameter(String name) {
    ReadBody read = body;
    if (read == null) {
      return super.getParameter(name);
    }
    String[] values = parameters(read).get(name);
    return values == null ? null : values[0];
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    ReadBody read = body;
    return read == null ? super.getParameterMap() : Collections.unmodifiableMap(parameters(read));
  }

  @Override
  public Enumeration<String> getParameterNames() {
    ReadBody read = body;
    return read == null
        ? super.getParameterNames()
        : Collections.enumeration(parameters(read).keySet());
  }

  @Override
  public String @Nullable [] getParameterValues(String name) {
    ReadBody read = body;
    if (read == null) {
      return super.getParameterValues(name);
    }
    String[] values = parameters(read).get(name);
    return values == null ? null : values.clone();
  }

  private Map<String, String[]> parameters(ReadBody read) {
    Map<String, String[]> known = parameters;
    if (known == null) {
      known = parametersBelow();
      Map<String, List<String>> fields = fields(read);
      if (fields.keySet().stream().noneMatch(hasFromBody(known))) {
        addTo(known, fields);
      }
      parameters = known;
    }
    return known;
  }

  /**
   * Returns the parameters without those of the body. Those of a multipart form are read from the
   * query: asked for any, Jetty tries to read the form again, fails, and closes the connection.
   */
  private Map<String, String[]> parametersBelow() {
    if (!isMultipart()) {
      return new LinkedHashMap<>(super.getParameterMap());
    }
    Map<String, String[]> ofQueries = new LinkedHashMap<>();
    addTo(ofQueries, RawUri.parameters(query()));
    if (getAttribute(RequestDispatcher.FORWARD_QUERY_STRING) instanceof String before
        && !before.equals(getQueryString())) {
      addTo(ofQueries, RawUri.parameters(before));
    }
    return ofQueries;
  }

  private String query() {
    String query = getQueryString();
    return query == null ? "" : query;
  }

  /** Returns whether another wrapper, below this one, adds the parameters of the body. */
  private Predicate<String> hasFromBody(Map<String, String[]> below) {
    Map<String, List<String>> ofQuery = RawUri.parameters(query());
    return name ->
        below.containsKey(name)
            && below.get(name).length > ofQuery.getOrDefault(name, List.of()).size();
  }

  private boolean isMultipart() {
    String type = getContentType();
    return type != null && type.regionMatches(true, 0, MULTIPART, 0, MULTIPART.length());
  }

  private static Map<String, List<String>> fields(ReadBody read) {
    Map<String, List<String>> fields = new LinkedHashMap<>(read.fields());
    for (FormPart each : read.parts()) {
      if (each.fileName().isEmpty()) {
        fields.computeIfAbsent(each.name(), any -> new ArrayList<>()).add(each.text());
      }
    }
    return fields;
  }

  private static void addTo(Map<String, String[]> all, Map<String, List<String>> fields) {
    fields.forEach(
        (name, values) -> {
          List<String> together = new ArrayList<>();
          if (all.containsKey(name)) {
            together.addAll(Arrays.asList(all.get(name)));
          }
          together.addAll(values);
          all.put(name, together.toArray(String[]::new));
        });
  }

  @Override
  public Collection<Part> getParts() throws IOException, ServletException {
    ReadBody read = body;
    if (read == null) {
      return super.getParts();
    }
    if (!isMultipart()) {
      throw new ServletException("The request isn't multipart/form-data");
    }
    Collection<Part> known = parts;
    if (known == null) {
      File directory =
          getServletContext().getAttribute(TEMPORARY) instanceof File temporary
              ? temporary
              : new File(System.getProperty("java.io.tmpdir"));
      List<Part> all = new ArrayList<>();
      read.parts().forEach(each -> all.add(new ReplayedPart(each, directory)));
      known = Collections.unmodifiableList(all);
      parts = known;
    }
    return known;
  }

  @Override
  public @Nullable Part getPart(String name) throws IOException, ServletException {
    if (body == null) {
      return super.getPart(name);
    }
    return getParts().stream().filter(each -> each.getName().equals(name)).findFirst().orElse(null);
  }

  /**
   * Goes on with the request below this one, which a dispatch leads through Weir's filter again:
   * Jetty adds the query once more to the parameters of any other request.
   */
  @Override
  @SuppressWarnings("ReferenceEquality") // a wrapper of this one is another request
  public AsyncContext startAsync(ServletRequest with, ServletResponse response) {
    return shown(super.startAsync(with == this ? getRequest() : with, response));
  }

  @Override
  public AsyncContext startAsync() {
    return shown(super.startAsync());
  }

  @Override
  public AsyncContext getAsyncContext() {
    return shown(super.getAsyncContext());
  }

  private AsyncContext shown(AsyncContext context) {
    return new ReplayedAsyncContext(context, this);
  }
}
