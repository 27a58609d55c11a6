package io.weir.compat.watch;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/** Draws what the queries of a dashboard give, panel by panel, without Grafana. */
final class Picture {
  private static final int CELL_WIDTH = 60;
  private static final int CELL_HEIGHT = 30;
  private static final int MARGIN = 10;
  private static final int LINE = 14;
  private static final int MAX_NAMES = 5;
  private static final List<Color> COLORS =
      List.of(
          new Color(0x1f77b4),
          new Color(0xd62728),
          new Color(0x2ca02c),
          new Color(0xff7f0e),
          new Color(0x9467bd));

  private final PrometheusServer prometheus;
  private final long end;
  private final int seconds;

  /** Draws the last seconds before a time. */
  Picture(PrometheusServer prometheus, long end, int seconds) {
    this.prometheus = prometheus;
    this.end = end;
    this.seconds = seconds;
  }

  /** A series: its labels, and pairs of time and value. */
  private record Series(String name, List<double[]> points) {}

  /** Draws a dashboard into a file. */
  void draw(JsonNode dashboard, Path file) throws IOException {
    int height = 0;
    for (JsonNode panel : dashboard.path("panels")) {
      JsonNode place = panel.path("gridPos");
      height = Math.max(height, place.path("y").asInt() + place.path("h").asInt());
    }
    BufferedImage image =
        new BufferedImage(24 * CELL_WIDTH, height * CELL_HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    for (JsonNode panel : dashboard.path("panels")) {
      draw(panel, graphics);
    }
    graphics.dispose();
    Files.createDirectories(file.getParent());
    ImageIO.write(image, "png", file.toFile());
  }

  private void draw(JsonNode panel, Graphics2D graphics) {
    JsonNode place = panel.path("gridPos");
    int x = place.path("x").asInt() * CELL_WIDTH;
    int y = place.path("y").asInt() * CELL_HEIGHT;
    int width = place.path("w").asInt() * CELL_WIDTH;
    int height = place.path("h").asInt() * CELL_HEIGHT;
    graphics.setColor(Color.LIGHT_GRAY);
    graphics.drawRect(x, y, width - 1, height - 1);
    graphics.setColor(Color.BLACK);
    graphics.drawString(panel.path("title").asText(), x + MARGIN, y + LINE + 2);
    List<Series> all = new ArrayList<>();
    panel.path("targets").forEach(each -> all.addAll(series(each)));
    double top =
        all.stream()
            .flatMap(each -> each.points().stream())
            .mapToDouble(point -> point[1])
            .filter(Double::isFinite)
            .max()
            .orElse(0);
    for (int i = 0; i < all.size(); i++) {
      graphics.setColor(COLORS.get(i % COLORS.size()));
      if (i < MAX_NAMES) {
        graphics.drawString(label(all.get(i)), x + MARGIN, y + (2 + i) * LINE + 4);
      }
      line(graphics, all.get(i).points(), top, x, y, width, height);
    }
  }

  private static String label(Series series) {
    double last = series.points().get(series.points().size() - 1)[1];
    return String.format(Locale.ROOT, "%.4g  %s", last, series.name());
  }

  private void line(
      Graphics2D graphics, List<double[]> points, double top, int x, int y, int width, int height) {
    int names = (2 + MAX_NAMES) * LINE;
    int space = height - names - MARGIN;
    if (space <= 0 || top <= 0) {
      return;
    }
    int[] before = null;
    for (double[] each : points) {
      int right = (int) ((each[0] - (end - seconds)) / seconds * (width - 2 * MARGIN));
      int up = (int) (each[1] / top * space);
      int[] now = {x + MARGIN + right, y + height - MARGIN - up};
      if (before != null && Double.isFinite(each[1])) {
        graphics.drawLine(before[0], before[1], now[0], now[1]);
      }
      before = Double.isFinite(each[1]) ? now : null;
    }
  }

  private List<Series> series(JsonNode target) {
    Query query = new Query("", target.path("expr").asText());
    List<Series> all = new ArrayList<>();
    for (JsonNode each : prometheus.range(query.filled(WatchedRun.POLICY), end - seconds, end)) {
      List<double[]> points = new ArrayList<>();
      for (JsonNode point : each.path("values")) {
        points.add(new double[] {point.get(0).asDouble(), number(point.get(1).asText())});
      }
      all.add(new Series(each.path("metric").toString(), points));
    }
    return all;
  }

  private static double number(String text) {
    return text.endsWith("Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
  }
}
