package io.weir.internal.rules.assembly;

import io.weir.internal.rules.edit.VersionedRows;
import io.weir.internal.rules.yaml.RulebookImporter;
import io.weir.rules.RulebookYaml;
import java.util.List;

/** Exports and imports the rules and costs of a database as YAML. Safe for concurrent use. */
final class StoredRulebook implements RulebookYaml {
  private final RulebookImporter files;

  StoredRulebook(VersionedRows rows) {
    this.files = new RulebookImporter(rows);
  }

  @Override
  public String export() {
    return files.export();
  }

  @Override
  public List<String> compare(String yaml) {
    return files.compare(yaml).lines();
  }

  @Override
  public List<String> apply(String yaml, String author) {
    return files.apply(yaml, author).lines();
  }
}
