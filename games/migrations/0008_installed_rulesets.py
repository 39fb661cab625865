"""The rulesets that are or were installed, each with the package that brought it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0007_names"),
    ]

    operations = [
        migrations.CreateModel(
            name="InstalledRuleset",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.CharField(max_length=40)),
                ("version", models.PositiveSmallIntegerField()),
                ("package", models.CharField(max_length=200)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("slug", "version"), name="one_row_per_ruleset")
                ],
            },
        ),
    ]
