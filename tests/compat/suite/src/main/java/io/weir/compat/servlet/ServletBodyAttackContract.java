package io.weir.compat.servlet;

import static io.weir.compat.servlet.ServletBodyContract.FORM;
import static io.weir.compat.servlet.ServletBodyContract.JSON;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.weir.annotation.RateLimit;
import io.weir.bodies.HostileBody;
import io.weir.compat.attack.Cases;
import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Attacks on fields of the body: what a policy reads is what the container, or Jackson in either of
 * its ways, reads from the same bytes, or the request is refused.
 */
public interface ServletBodyAttackContract extends ServletServer {
  /** Holds a sign-in as Jackson reads it. */
  final class Account {
    /** The field. */
    public @Nullable String user;
  }

  /** Notes what a policy reads. */
  final class Watch implements RequestCondition {
    private volatile Optional<String> form = Optional.empty();
    private volatile Optional<String> json = Optional.empty();

    @Override
    public boolean test(RequestInfo request) {
      form = request.form("user");
      json = request.json("/user");
      return true;
    }

    @Override
    public boolean needsBody() {
      return true;
    }
  }

  /** Lets policies read the body. */
  final class Watched extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    @RateLimit(limit = 1_000_000, window = 60, when = "watch")
    protected void doPost(HttpServletRequest request, HttpServletResponse response) {}
  }

  /** Answers what the container reads. */
  final class Unwatched extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      request.setCharacterEncoding("UTF-8"); // the default of some containers is another one
      String[] values = request.getParameterValues("user");
      response
          .getOutputStream()
          .write(
              (values == null ? "none" : values.length + ":" + values[0])
                  .getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  @Test
  default void policiesReadWhatTheApplicationReads() throws Exception {
    Watch watch = new Watch();
    ObjectMapper plain =
        JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
    ObjectMapper folding =
        JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
            .build();
    try (ServletApp app =
        new ServletAppBuilder(this)
            .servlet("/watched", new Watched())
            .servlet("/unwatched", new Unwatched())
            .parts(parts -> parts.requestCondition("watch", watch))
            .start()) {
      Cases.times(
          150,
          this,
          "fields of forms",
          random -> {
            String form = HostileBody.form(random);
            if (app.post("/watched", FORM, form).status() == 200) {
              Answer unwatched = app.post("/unwatched", FORM, form);
              if (unwatched.status() == 200) {
                String read = watch.form.map(each -> "1:" + latin(each)).orElse("none");
                assertEquals(unwatched.body(), read, form);
              }
            }
          });
      Cases.times(
          150,
          this,
          "fields of queries",
          random -> {
            String path = "watched?" + HostileBody.form(random).replaceAll("[^!-~]|#", "");
            String form = random.nextBoolean() ? "b=c" : "user=c";
            if (app.post("/" + path, FORM, form).status() == 200) {
              Answer unwatched = app.post("/un" + path, FORM, form);
              // Tomcat 10.1 drops fields that it can't decode: then no account is tried.
              if (unwatched.status() == 200 && !unwatched.body().equals("none")) {
                String read = watch.form.map(each -> "1:" + latin(each)).orElse("none");
                assertEquals(unwatched.body(), read, path + " " + form);
              }
            }
          });
      Cases.times(
          300,
          this,
          "fields of JSON",
          random -> {
            String json = HostileBody.json(random);
            if (app.post("/watched", JSON, json).status() == 200) {
              byte[] bytes = json.getBytes(StandardCharsets.ISO_8859_1);
              Optional<String> known = watch.json;
              for (ObjectMapper each : List.of(plain, folding)) {
                Optional<String> read = read(each, bytes);
                assertEquals(known, read.or(() -> known), json);
              }
            }
          });
    }
  }

  private static String latin(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Returns empty for what Jackson refuses, or finds no value in. */
  private static Optional<String> read(ObjectMapper mapper, byte[] json) throws IOException {
    try {
      @Nullable Account account = mapper.readValue(json, Account.class);
      return Optional.ofNullable(account).map(each -> each.user);
    } catch (com.fasterxml.jackson.core.JacksonException refused) {
      return Optional.empty();
    }
  }
}
