package io.weir.benchmarks.startup;

import io.weir.annotation.RateLimit;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Resource classes of ten annotated methods each, as different as those of an application are. Each
 * fifth class has a limit of its own too, and an eleventh method without any.
 */
final class Sources {
  static final int METHODS = 10;

  private static final String HEAD =
      """
      package made;
      import io.weir.annotation.*;
      import jakarta.ws.rs.*;
      import java.time.temporal.ChronoUnit;
      import java.util.List;
      """;
  private static final String BODY =
      """
      @Path("/r#") public class R# {
        @GET @Path("hello") @RateLimit(limit = 100, window = 60)
        public String hello() { return "hello"; }
        @GET @Path("items/{id}") @RateLimit(limit = 500, window = 1, unit = ChronoUnit.MINUTES, by = By.USER)
        public String item(@PathParam("id") long id) { return "item " + id; }
        @GET @Path("search") @RateLimit(limit = 10, window = 1)
        @RateLimit(limit = 1000, window = 1, unit = ChronoUnit.HOURS, by = By.KEY, key = "header:X-Api-Key")
        public String search(@QueryParam("q") String q) { return q; }
        @GET @Path("feed") @RateLimit(limit = 60, window = 60, mode = Mode.ELASTIC, exceedBy = 50)
        public String feed(@QueryParam("page") int page) { return "page " + page; }
        @POST @Path("items") @RateLimit(limit = 20, window = 60, by = {By.USER, By.IP}, cost = 2)
        public String create(String body) { return body; }
        @PUT @Path("items/{id}") @RateLimit(limit = 100, window = 60, by = By.USER,
            tiers = {@Tier(name = "premium", limit = 1000), @Tier(name = "partner", limit = 10000)})
        public String update(@PathParam("id") long id, String body) { return body; }
        @DELETE @Path("items/{id}") @RateLimit(limit = 30, window = 60, by = By.USER, mode = Mode.SOFT)
        public void delete(@PathParam("id") long id) {}
        @POST @Path("login") @RateLimit(limit = 5, window = 60, count = Count.FAILURES)
        @RateLimit(limit = 50, window = 1, unit = ChronoUnit.DAYS, algorithm = Algorithm.FIXED_WINDOW)
        public String login(@FormParam("user") String user) { return user; }
        @GET @Path("report") @RateLimit(limit = 600, window = 60, algorithm = Algorithm.TOKEN_BUCKET,
            burst = 20, overshoot = 5, name = "report-#")
        public String report() { return "report"; }
        @GET @Path("list") @RateLimit(limit = 10000, window = 60, by = By.ENDPOINT, shadow = true)
        public List<String> list() { return List.of("list"); }
      """;
  private static final String OF_CLASS = "@RateLimit(limit = 300, window = 60, by = By.USER)\n";
  private static final String ELEVENTH =
      "@GET @Path(\"more\") public String more() { return \"more\"; }\n";

  private Sources() {}

  /** Compiles {@code made.R0}, {@code made.R1} and so on. */
  static void compile(int classes, java.nio.file.Path to) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    // Where the class path is one jar with a manifest, the compiler may not understand that.
    String path = jar(RateLimit.class) + java.io.File.pathSeparator + jar(Path.class);
    List<String> options = List.of("-proc:none", "-cp", path, "-d", to.toString());
    List<Source> sources = IntStream.range(0, classes).mapToObj(Sources::source).toList();
    if (!compiler.getTask(said, null, null, options, null, sources).call()) {
      throw new IllegalStateException("what was made doesn't compile: " + said);
    }
  }

  private static Source source(int number) {
    boolean limited = number % 5 == 0;
    String text =
        Stream.of(HEAD, limited ? OF_CLASS : "", BODY, limited ? ELEVENTH : "", "}\n")
            .collect(Collectors.joining());
    return new Source("R" + number, text.replace("#", String.valueOf(number)));
  }

  private static String jar(Class<?> in) {
    try {
      return java.nio.file.Path.of(in.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException malformed) {
      throw new IllegalStateException(malformed);
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///made/" + name + Kind.SOURCE.extension), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
