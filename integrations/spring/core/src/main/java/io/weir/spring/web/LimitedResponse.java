package io.weir.spring.web;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * Writes the header fields before the response is committed, and ends the request before the last
 * bytes leave: a caller that has read the response must not find its permit not yet given back.
 * Spring MVC flushes bodies, most of which have an announced length, long before its servlet
 * returns.
 *
 * <p>For one thread at a time.
 */
final class LimitedResponse extends HttpServletResponseWrapper {
  private static final long UNKNOWN = -1;

  private final MvcRequest limited;
  private @Nullable ServletOutputStream stream;
  private @Nullable PrintWriter writer;
  private long length = UNKNOWN;
  private long sent;

  private LimitedResponse(HttpServletResponse response, MvcRequest limited) {
    super(response);
    this.limited = limited;
  }

  /** Wraps a response, unless it is one of these for the request, or wraps one. */
  static HttpServletResponse of(HttpServletResponse response, MvcRequest limited) {
    ServletResponse each = response;
    while (each instanceof ServletResponseWrapper wrapper) {
      if (wrapper instanceof LimitedResponse found && found.limited == limited) {
        return response;
      }
      each = wrapper.getResponse();
    }
    return new LimitedResponse(response, limited);
  }

  private HttpServletResponse response() {
    return (HttpServletResponse) getResponse();
  }

  /** Writes the fields before any byte of the body may leave. */
  private void start() {
    limited.restoreHeaders(response());
  }

  /** Notes bytes that are about to be written; the last ones end the response. */
  private void send(long bytes) {
    if (sent == 0) {
      start();
    }
    sent += bytes;
    if (length != UNKNOWN && sent >= length) {
      limited.completed(getStatus());
    }
  }

  /** Ends a response whose body was sent, or that has none. */
  private void noteFlush() {
    if (sent == 0) {
      start();
    }
    int status = getStatus();
    boolean whole = length != UNKNOWN && sent >= length;
    if (whole || status == SC_NO_CONTENT || status == SC_NOT_MODIFIED) {
      limited.completed(status);
    }
  }

  private void noteClose() {
    if (sent == 0) {
      start();
    }
    limited.completed(getStatus());
  }

  @Override
  public ServletOutputStream getOutputStream() throws IOException {
    ServletOutputStream known = stream;
    if (known == null) {
      known = new Stream(super.getOutputStream());
      stream = known;
    }
    return known;
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    PrintWriter known = writer;
    if (known == null) {
      known = new Writer(super.getWriter());
      writer = known;
    }
    return known;
  }

  @Override
  public void flushBuffer() throws IOException {
    noteFlush();
    super.flushBuffer();
  }

  @Override
  public void reset() {
    super.reset();
    length = UNKNOWN;
    sent = 0;
    stream = null;
    writer = null;
  }

  @Override
  public void resetBuffer() {
    super.resetBuffer();
    sent = 0;
  }

  @Override
  public void setContentLength(int bytes) {
    super.setContentLength(bytes);
    length = bytes;
  }

  @Override
  public void setContentLengthLong(long bytes) {
    super.setContentLengthLong(bytes);
    length = bytes;
  }

  @Override
  public void setHeader(String name, @Nullable String value) {
    super.setHeader(name, value);
    readLength(name, value);
  }

  @Override
  public void addHeader(String name, @Nullable String value) {
    super.addHeader(name, value);
    readLength(name, value);
  }

  @Override
  public void setIntHeader(String name, int value) {
    super.setIntHeader(name, value);
    readLength(name, String.valueOf(value));
  }

  @Override
  public void addIntHeader(String name, int value) {
    super.addIntHeader(name, value);
    readLength(name, String.valueOf(value));
  }

  private void readLength(String name, @Nullable String value) {
    if (HttpHeaders.CONTENT_LENGTH.equalsIgnoreCase(name)) {
      try {
        length = value == null ? UNKNOWN : Long.parseLong(value.strip());
      } catch (NumberFormatException malformed) {
        length = UNKNOWN;
      }
    }
  }

  /** Undertow makes the whole error page here, and ends the response. */
  @Override
  public void sendError(int status, String message) throws IOException {
    start();
    limited.completed(status);
    super.sendError(status, message);
  }

  @Override
  public void sendError(int status) throws IOException {
    start();
    limited.completed(status);
    super.sendError(status);
  }

  /** Jetty sends the whole response here. */
  @Override
  public void sendRedirect(String location) throws IOException {
    start();
    limited.completed(SC_FOUND);
    super.sendRedirect(location);
  }

  private final class Stream extends ServletOutputStream {
    private final ServletOutputStream out;

    Stream(ServletOutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int each) throws IOException {
      send(1);
      out.write(each);
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      write(bytes, 0, bytes.length);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      send(count);
      out.write(bytes, from, count);
    }

    @Override
    public void flush() throws IOException {
      noteFlush();
      out.flush();
    }

    @Override
    public void close() throws IOException {
      noteClose();
      out.close();
    }

    @Override
    public boolean isReady() {
      return out.isReady();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      out.setWriteListener(listener);
    }
  }

  /**
   * Sees the characters of the body. Their bytes aren't known, so an announced length is reached by
   * a flush at the earliest.
   */
  private final class Writer extends PrintWriter {
    Writer(PrintWriter out) {
      super(out);
    }

    private void noteWrite() {
      if (sent == 0) {
        start();
        sent = 1;
      }
    }

    @Override
    public void write(int each) {
      noteWrite();
      super.write(each);
    }

    @Override
    public void write(char[] text, int from, int count) {
      noteWrite();
      super.write(text, from, count);
    }

    @Override
    public void write(String text, int from, int count) {
      noteWrite();
      super.write(text, from, count);
    }

    @Override
    public void println() {
      noteWrite();
      super.println();
    }

    @Override
    public void flush() {
      if (length != UNKNOWN && sent > 0) {
        limited.completed(getStatus());
      }
      noteFlush();
      super.flush();
    }

    @Override
    public void close() {
      noteClose();
      super.close();
    }
  }
}
