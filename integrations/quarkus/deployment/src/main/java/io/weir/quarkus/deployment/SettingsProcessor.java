package io.weir.quarkus.deployment;

import io.quarkus.deployment.IsDevelopment;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.ConfigDescriptionBuildItem;
import io.quarkus.runtime.annotations.ConfigPhase;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * Describes the settings to Quarkus' Dev UI, from the files that describe them to its other tools.
 */
class SettingsProcessor {
  private static final String FOLDER = "META-INF/quarkus-config-doc/";

  @BuildStep(onlyIf = IsDevelopment.class)
  void describe(BuildProducer<ConfigDescriptionBuildItem> described) {
    JsonObject texts = read("quarkus-config-javadoc.json").getJsonObject("elements");
    JsonObject root =
        read("quarkus-config-model.json").getJsonArray("configRoots").getJsonObject(0);
    for (Object each : root.getJsonArray("items")) {
      JsonObject setting = (JsonObject) each;
      String element =
          setting.getString("sourceType") + "." + setting.getString("sourceElementName");
      described.produce(
          new ConfigDescriptionBuildItem(
              setting.getJsonObject("path").getString("property"),
              setting.getString("defaultValue"),
              texts.getJsonObject(element).getString("description"),
              setting.getString("type"),
              List.of(),
              ConfigPhase.RUN_TIME));
    }
  }

  private static JsonObject read(String file) {
    try (InputStream in =
        SettingsProcessor.class.getClassLoader().getResourceAsStream(FOLDER + file)) {
      return new JsonObject(
          new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
