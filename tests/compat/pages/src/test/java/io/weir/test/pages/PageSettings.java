package io.weir.test.pages;

import java.io.IOException;
import java.io.StringReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** Reads blocks of settings. */
final class PageSettings {
  private PageSettings() {}

  static Map<String, String> read(CodeBlock block) throws IOException {
    Properties read = new Properties();
    read.load(new StringReader(block.text()));
    Map<String, String> settings = new HashMap<>();
    read.forEach((name, value) -> settings.put((String) name, (String) value));
    return settings;
  }
}
