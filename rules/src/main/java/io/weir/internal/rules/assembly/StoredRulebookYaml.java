package io.weir.internal.rules.assembly;

import io.weir.internal.rules.edit.VersionedRowEditor;
import io.weir.internal.rules.yaml.RulebookImportExport;
import io.weir.rules.RulebookYaml;
import java.util.List;

/** Exports and imports the rules and costs of a database as YAML. Safe for concurrent use. */
final class StoredRulebookYaml implements RulebookYaml {
  private final RulebookImportExport files;

  StoredRulebookYaml(VersionedRowEditor rows) {
    this.files = new RulebookImportExport(rows);
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
