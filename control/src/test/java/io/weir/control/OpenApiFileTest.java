package io.weir.control;

import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.internal.control.openapi.OpenApiResource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The file of the OpenAPI document is what {@link OpenApiDocument} makes of the resources. */
class OpenApiFileTest {
  private static final DefaultIndenter LINES = new DefaultIndenter("  ", "\n");

  @Test
  void theFileDescribesTheResources() throws IOException {
    String made =
        new ObjectMapper()
                .writer(
                    new DefaultPrettyPrinter().withObjectIndenter(LINES).withArrayIndenter(LINES))
                .writeValueAsString(OpenApiDocument.of(Endpoints.resources()))
            + "\n";
    if (!made.equals(committed())) {
      Path file = Path.of("target", "openapi.json").toAbsolutePath();
      Files.writeString(file, made);
      fail(
          "Annotations of the resources have changed. If clients may see that, copy "
              + file
              + " to control/src/main/resources/io/weir/internal/control/openapi");
    }
  }

  private static String committed() throws IOException {
    try (InputStream in = OpenApiResource.class.getResourceAsStream("openapi.json")) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
