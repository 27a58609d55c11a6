package io.weir.servlet;

import io.weir.adapter.FormPart;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Shows a part of a multipart form that was read for policies. Safe for concurrent use. */
final class ReplayedPart implements Part {
  private final FormPart part;
  private final File directory;

  /**
   * Shows a part.
   *
   * @param directory where files with relative names are written
   */
  ReplayedPart(FormPart part, File directory) {
    this.part = part;
    this.directory = directory;
  }

  @Override
  public InputStream getInputStream() {
    return new ByteArrayInputStream(part.content());
  }

  @Override
  public @Nullable String getContentType() {
    return getHeader("Content-Type");
  }

  @Override
  public String getName() {
    return part.name();
  }

  @Override
  public @Nullable String getSubmittedFileName() {
    return part.fileName().orElse(null);
  }

  @Override
  public long getSize() {
    return part.content().length;
  }

  @Override
  public void write(String fileName) throws IOException {
    Path file = directory.toPath().resolve(fileName);
    Files.write(file, part.content());
  }

  /** Does nothing: the part has no file. */
  @Override
  public void delete() {}

  @Override
  public @Nullable String getHeader(String name) {
    Collection<String> values = getHeaders(name);
    return values.isEmpty() ? null : values.iterator().next();
  }

  @Override
  public Collection<String> getHeaders(String name) {
    return part.headers().getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  @Override
  public Collection<String> getHeaderNames() {
    return part.headers().keySet();
  }
}
