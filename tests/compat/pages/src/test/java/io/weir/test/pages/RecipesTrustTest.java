package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tries each row of the table of proxies of docs/recipes.md: who is counted as the caller. */
class RecipesTrustTest {
  private static final String NONE = "none";

  /** A row of the table. */
  private record Row(String trusted, String peer, String header, String caller) {
    static Row of(String line) {
      String[] cells = line.replace("`", "").split("\\s*\\|\\s*");
      return new Row(cells[2], cells[3], cells[4], cells[5]);
    }
  }

  private static List<Row> rows() {
    String text = MarkdownPage.read("recipes.md").text();
    return text.substring(text.indexOf("| in front of the application"))
        .lines()
        .takeWhile(line -> line.startsWith("|"))
        .skip(2)
        .map(Row::of)
        .toList();
  }

  /** Answers whether the caller of the row was counted. */
  private static final class Who extends HttpServlet {
    @Serial private static final long serialVersionUID = 1;
    private final transient Row row;

    Who(Row row) {
      this.row = row;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      Decision decision = (Decision) request.getAttribute("io.weir.Decision");
      response.getWriter().print(decision.key().equals(Key.address(row.caller())));
    }
  }

  private static Weir weir(Row row) {
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.default.limit", "10");
    settings.put("weir.default.window", "60");
    if (!row.trusted().equals(NONE)) {
      settings.put("weir.proxy.trusted", row.trusted());
    }
    WeirBuilder builder = Weir.builder().onlyGivenSettings().settings(settings);
    return builder.peerAddress(request -> Optional.of(row.peer())).build();
  }

  private static void add(ServletContext context, int number, Row row, Weir weir) {
    context
        .addFilter("filter" + number, new RateLimitFilter(weir))
        .addMappingForUrlPatterns(null, false, "/row/" + number);
    context.addServlet("row" + number, new Who(row)).addMapping("/row/" + number);
  }

  @Test
  void eachRowCountsTheCallerThatItNames(@TempDir Path folder) throws Exception {
    List<Row> rows = rows();
    assertTrue(rows.size() >= 8, rows::toString);
    List<Weir> all = new ArrayList<>();
    ResourceConfig unlimited = new ResourceConfig().property("weir.jaxrs.auto", false);
    try (PageApplication application =
        new PageApplication(
            folder,
            unlimited,
            context -> {
              for (Row each : rows) {
                all.add(weir(each));
                add(context, all.size(), each, all.get(all.size() - 1));
              }
            })) {
      for (int i = 0; i < rows.size(); i++) {
        URI address = URI.create(application.address() + "/row/" + (i + 1));
        assertEquals("true", ask(address, rows.get(i)), rows.get(i)::toString);
      }
    } finally {
      all.forEach(Weir::close);
    }
  }

  private static String ask(URI address, Row row) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(address);
    if (!row.header().equals(NONE)) {
      request.header("X-Forwarded-For", row.header());
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).body();
  }
}
